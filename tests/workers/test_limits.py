"""Settings that check themselves, and what a process that takes too much is told."""

import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from discover_core.errors import InputError
from discover_core.workers import limits as module
from discover_core.workers.enforcement import BEHIND, in_memory, short_of_memory
from discover_core.workers.job import Job
from discover_core.workers.job_queue import JobQueue
from discover_core.workers.limits import COUNTS, GB, NUMBERS, Limits, Share, duration, memory_of_machine
from discover_core.workers.processes import Processes

from .heavy_work import report_none

HEAVY = "tests.workers.heavy_work"
linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux limits data and tells what a process has")


def test_what_nobody_says_is_sensible_for_this_computer():
    limits = Limits.of_environment({})
    assert 0 < limits.memory <= min(4, memory_of_machine() / 2)
    assert (limits.job_minutes, limits.run_hours, limits.threads) == (60, None, None)
    assert limits.runs >= 1
    assert limits.jobs >= 2


def test_every_setting_is_read():
    said = {
        "DISCOVER_MEMORY": "1.5",
        "DISCOVER_JOB_MINUTES": "2",
        "DISCOVER_RUN_HOURS": "3",
        "DISCOVER_THREADS": "4",
        "DISCOVER_RUNS": "5",
        "DISCOVER_JOBS": " 6 ",
        "DISCOVER_TABLES": "7",
    }
    assert set(said) == {*NUMBERS.values(), *COUNTS.values()}
    limits = Limits.of_environment(said)
    assert limits == Limits(1.5, 2, 3, 4, 5, 6, 7)
    assert (limits.of_job, limits.of_run) == (Share(1.5, 120, 4), Share(1.5, 10_800, 4))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("DISCOVER_MEMORY", "4 GB"),
        ("DISCOVER_MEMORY", "0"),
        ("DISCOVER_MEMORY", "nan"),
        ("DISCOVER_JOB_MINUTES", "-1"),
        ("DISCOVER_RUN_HOURS", "inf"),
        ("DISCOVER_THREADS", "0"),
        ("DISCOVER_RUNS", "1.5"),
        ("DISCOVER_JOBS", "many"),
    ],
)
def test_a_bad_setting_is_a_sentence_that_names_it(name, value):
    with pytest.raises(InputError, match=name):
        Limits.of_environment({name: value})


def test_a_container_may_have_less_than_the_machine(monkeypatch, tmp_path):
    monkeypatch.setattr(module, "CGROUP", tmp_path / "memory.max")
    whole = memory_of_machine()
    (tmp_path / "memory.max").write_text("max\n")
    assert memory_of_machine() == whole
    (tmp_path / "memory.max").write_text(f"{GB // 2}\n")
    assert memory_of_machine() == 0.5
    assert Limits.of_environment({}).memory == 0.25
    assert Limits.of_environment({}).tables == 0.125


@pytest.mark.parametrize(("seconds", "words"), [(3600, "1 hour"), (5400, "1.5 hours"), (60, "1 minute"), (0.5, "0.5 seconds")])
def test_durations_are_said_in_their_largest_unit(seconds, words):
    assert duration(seconds) == words


def test_memory_that_ran_short_is_known_by_its_cause_and_not_by_what_a_sentence_quotes():
    error = InputError("The model failed.")
    error.__cause__ = RuntimeError("std::bad_alloc")
    assert short_of_memory(error)
    assert not short_of_memory(InputError("There is no column “out of memory”."))
    assert not short_of_memory(KeyError("x"))


@linux
def test_a_job_that_allocates_without_end_ends_with_a_sentence_that_says_what_to_do():
    job = Job(f"{HEAVY}:allocate", queue=JobQueue(Limits(memory=0.2)))
    assert job.wait(300) == "failed"
    assert str(job.error) == (
        "This work needed more than 0.2 GB of memory, the most it may have here: try a smaller table or another model, "
        "or ask whoever runs the server for more (DISCOVER_MEMORY)."
    )


@linux
def test_shared_memory_is_seen_by_the_watchdog():
    job = Job(f"{HEAVY}:share", queue=JobQueue(Limits(memory=0.1)))
    assert job.wait(300) == "failed"
    assert "DISCOVER_MEMORY" in str(job.error)


def test_a_job_that_spins_in_native_code_ends_when_its_time_is_over():
    job = Job(f"{HEAVY}:spin", queue=JobQueue(Limits(job_minutes=0.05)))
    assert job.wait(300) == "failed"
    assert str(job.error) == (
        "This work took longer than 3 seconds, the longest it may take here: try a smaller table or another model, "
        "or ask whoever runs the server for more (DISCOVER_JOB_MINUTES)."
    )


def limits_of_process():

    from joblib import cpu_count
    from threadpoolctl import threadpool_info

    kinds = (resource.RLIMIT_CORE, resource.RLIMIT_DATA, resource.RLIMIT_CPU)
    threads = max((pool["num_threads"] for pool in threadpool_info()), default=1)
    return (
        [resource.getrlimit(kind) for kind in kinds],
        threads,
        cpu_count(),
        Path(f"/proc/{os.getpid()}/oom_score_adj").read_text(),
    )


@linux
def test_the_system_holds_a_process_to_its_limits():
    found = Processes(limits=Limits(memory=0.5, run_hours=0.01, threads=1)).submit(limits_of_process).result(120)
    (core, data, processor), threads, cores, first_to_go = found
    assert core == (0, 0)
    assert data[0] == data[1] > 0.5 * GB
    assert data[0] < 0.5 * GB + in_memory("VmData") + 2 * GB
    assert 36 < processor[1] < 36 * 1000
    assert (threads, cores, first_to_go.strip()) == (1, 1, "500")


@linux
def test_a_call_that_is_short_of_memory_leaves_the_next_one_alone():
    processes = Processes(limits=Limits(memory=0.2))
    with pytest.raises(MemoryError):
        processes.submit(report_none, heavy("allocate")).result(120)
    assert processes.submit(abs, -3).result(120) == 3


def heavy(name):
    from . import heavy_work

    return getattr(heavy_work, name)


def test_every_setting_is_in_the_readme():
    readme = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    assert [name for name in (*NUMBERS.values(), *COUNTS.values()) if f"| `{name}` |" not in readme] == []


def test_a_server_with_a_bad_setting_does_not_start_and_says_why():
    command = [sys.executable, "-m", "discover_dashboard", "serve", "--port", "0"]
    environment = os.environ | {"DISCOVER_MEMORY": "plenty"}
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=300)
    assert ended.returncode == 2
    assert ended.stderr == "“DISCOVER_MEMORY” must be a number, not “plenty”: set it again, or leave it out.\n"


@pytest.mark.skipif(not hasattr(os, "nice"), reason="only POSIX has it")
def test_what_works_in_the_background_lets_the_server_go_first():
    assert Processes(limits=Limits()).submit(os.nice, 0).result(120) == min(os.nice(0) + BEHIND, 19)
