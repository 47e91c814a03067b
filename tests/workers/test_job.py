"""Jobs finish, fail with a sentence, stop when asked, and survive nothing silently."""

import os
import signal
import time

from discover_core.errors import InputError
from discover_core.workers.job import Job


def double(number, progress):
    progress(0.5, "half way")
    return 2 * number


def refuse(progress):
    raise InputError("The file is empty.")


def crash(progress):
    raise KeyError("x")


def dawdle(progress):
    progress(0.1, "dawdling")
    time.sleep(600)


def dawdling(job):
    end = time.monotonic() + 300
    while job.doing != "dawdling":
        assert time.monotonic() < end, "the job does not begin"
        time.sleep(0.01)


def test_a_job_returns_what_the_work_returns():
    job = Job(f"{__name__}:double", 21, title="Doubling")
    assert job.wait(300) == "finished"
    assert (job.result, job.share, job.doing) == (42, 0.5, "half way")


def test_an_input_error_arrives_as_it_was_and_others_as_a_sentence():
    job, other = Job(f"{__name__}:refuse"), Job(f"{__name__}:crash")
    assert job.wait(300) == other.wait(300) == "failed"
    assert isinstance(job.error, InputError)
    assert str(job.error) == "The file is empty."
    assert "KeyError" in str(other.error)


def test_a_stopped_job_ends_its_process_and_is_not_failed():
    job = Job(f"{__name__}:dawdle")
    dawdling(job)
    job.stop()
    assert job.state == "stopped"
    assert job._ready.wait(300)
    assert not os.path.exists(f"/proc/{job.pid}")


def test_a_killed_worker_leaves_a_sentence():
    job = Job(f"{__name__}:dawdle")
    dawdling(job)
    os.kill(job.pid, signal.SIGKILL)
    assert job.wait(300) == "failed"
    assert "signal 9" in str(job.error)
