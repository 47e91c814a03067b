"""So many jobs at once, the others in the order they came; who waits can be stopped, and the server's own job takes no place."""

import time

from discover_core.workers.job import Job
from discover_core.workers.job_queue import JobQueue
from discover_core.workers.limits import Limits

WORK = "tests.workers.heavy_work:wait_for"


def begun(job, seconds=300):
    end = time.monotonic() + seconds
    while job.doing != "waiting":
        assert time.monotonic() < end, "the job does not begin"
        time.sleep(0.01)


def test_jobs_wait_for_a_place_in_the_order_they_came(tmp_path):
    queue = JobQueue(Limits(jobs=2))
    doors = [tmp_path / str(i) for i in range(5)]
    jobs = [Job(WORK, str(door), queue=queue) for door in doors]
    begun(jobs[0])
    begun(jobs[1])
    assert [job.before for job in jobs] == [None, None, 0, 1, 2]
    assert [job.state for job in jobs] == ["running"] * 5
    assert jobs[2].pid is None
    assert Job("discover_core.workers.page_jobs:nothing").wait(300) == "finished"  # the first job of a server
    jobs[3].stop()  # gives up waiting
    assert jobs[3].state == "stopped"
    assert [job.before for job in jobs] == [None, None, 0, None, 1]
    jobs[0].stop()  # its place goes to the next
    begun(jobs[2])
    assert [job.before for job in jobs] == [None, None, None, None, 0]
    for door in doors:
        door.touch()
    assert [job.wait(300) for job in jobs] == ["stopped", "finished", "finished", "stopped", "finished"]
    assert queue.before(jobs[4]) is None


def test_a_job_that_cannot_be_started_leaves_its_place(monkeypatch, tmp_path):
    from discover_core.workers import job as module

    def refuse(*args, **kwargs):
        raise OSError("Resource temporarily unavailable")

    queue = JobQueue(Limits(jobs=1))
    with monkeypatch.context() as patched:
        patched.setattr(module, "ChildProcess", refuse)
        job = Job(WORK, str(tmp_path), queue=queue)
    assert job.wait(5) == "failed"
    assert str(job.error).startswith("The work could not be started")
    assert Job(WORK, str(tmp_path), queue=queue).wait(300) == "finished"
