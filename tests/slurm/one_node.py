"""A SLURM of one node on the loopback address, in a folder of its own, gone when it is closed.

Debian's packages are enough: ``apt-get install munge slurm-wlm``. There is no accounting, no
cgroup and no system service; the daemons run in the foreground as children of this process, with
a key, sockets and ports of their own, so a SLURM of the machine is neither needed nor touched.
"""

import os
import shutil
import socket
import subprocess
import tempfile
import time
from contextlib import suppress
from pathlib import Path

NEEDED = ("munged", "slurmctld", "slurmd", "sbatch", "srun", "squeue", "sinfo", "scancel")

CONFIGURATION = """\
ClusterName=bmn
SlurmctldHost={node}(127.0.0.1)
SlurmctldPort={controller_port}
SlurmdPort={node_port}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
SlurmUser=root
SlurmdUser=root
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SlurmdParameters=config_overrides
SwitchType=switch/none
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
ReturnToService=2
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=sched_min_interval=0,batch_sched_delay=0,bf_interval=5
MinJobAge=600
NodeName={node} NodeAddr=127.0.0.1 CPUs={cpus} RealMemory=16000 State=UNKNOWN
PartitionName=main Nodes={node} Default=YES MaxTime=60 State=UP
"""


class NoSlurmError(Exception):
    """Why no SLURM can be started here."""


class OneNode:
    """A running SLURM; use it in a ``with`` block.

    Parameters
    ----------
    cpus
        Those of the node; it may have fewer.

    Attributes
    ----------
    environment
        What commands need to reach it.
    """

    def __init__(self, cpus=8):
        self.cpus = cpus
        self._daemons = []

    def __enter__(self):
        if os.getuid():
            raise NoSlurmError("only root can start the daemons of SLURM for other processes")
        path = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", "/sbin"])
        self._found = {name: shutil.which(name, path=path) for name in NEEDED}
        missing = [name for name, found in self._found.items() if found is None]
        if missing:
            raise NoSlurmError(
                f"{missing[0]} is not installed; Debian: apt-get install munge slurm-wlm"
            )
        # Every user must be able to reach munge's socket, so not below a folder of pytest's.
        self.folder = Path(tempfile.mkdtemp(prefix="bmn-slurm-"))
        self.environment = os.environ | {"SLURM_CONF": str(self.folder / "slurm.conf")}
        try:
            self._start()
        except BaseException:
            self._stop()
            raise
        return self

    def __exit__(self, *_):
        with suppress(OSError, subprocess.SubprocessError):
            self.run("scancel", "--user=root")
            self._wait(lambda: not self.run("squeue", "--noheader").stdout.strip(), 20)
        self._stop()

    def run(self, *command):
        """Run a command of SLURM against this cluster."""
        return subprocess.run(
            command, env=self.environment, capture_output=True, text=True, check=True, timeout=60
        )

    def told(self):
        """Return the end of what every daemon has logged."""
        logs = sorted(self.folder.glob("*.log"))
        return "\n".join(f"== {p.name}\n{p.read_text(errors='replace')[-2000:]}" for p in logs)

    def _start(self):
        folder = self.folder
        folder.chmod(0o755)
        for name in ("state", "spool"):
            (folder / name).mkdir()
        key = folder / "munge.key"
        key.write_bytes(os.urandom(128))
        key.chmod(0o400)
        ports = _free_ports(2)
        (folder / "slurm.conf").write_text(
            CONFIGURATION.format(
                node=socket.gethostname().split(".")[0],
                folder=folder,
                cpus=self.cpus,
                controller_port=ports[0],
                node_port=ports[1],
            )
        )
        (folder / "cgroup.conf").write_text("CgroupAutomount=no\n")
        # Snakemake's plugin takes SLURM_CONF from the environment of srun, so it gets it back here.
        srun = folder / "bin/srun"
        srun.parent.mkdir()
        srun.write_text(
            f'#!/bin/sh\nSLURM_CONF={folder}/slurm.conf exec {self._found["srun"]} "$@"\n'
        )
        srun.chmod(0o755)
        self.environment["PATH"] = f"{srun.parent}{os.pathsep}{os.environ['PATH']}"
        self._daemon(
            "munged",
            "--foreground",
            *(f"--{what}-file={folder}/munge.{what}" for what in ("key", "pid", "seed", "log")),
            f"--socket={folder}/munge.socket",
        )
        self._wait((folder / "munge.socket").exists, 20)
        self._daemon("slurmctld", "-D", "-c", "-f", f"{folder}/slurm.conf")
        self._daemon("slurmd", "-D", "-f", f"{folder}/slurm.conf")
        self._wait(self._idle, 60)

    def _idle(self):
        try:
            return self.run("sinfo", "--noheader", "--format=%T").stdout.strip() == "idle"
        except subprocess.CalledProcessError:
            return False

    def _daemon(self, name, *arguments):
        with (self.folder / f"{name}.log").open("wb") as log:
            self._daemons.append(
                subprocess.Popen(
                    [self._found[name], *arguments],
                    env=self.environment,
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                    start_new_session=True,
                )
            )

    def _wait(self, ready, seconds):
        end = time.monotonic() + seconds
        while not ready():
            ended = [d for d in self._daemons if d.poll() is not None]
            if ended or time.monotonic() > end:
                what = f"{Path(ended[0].args[0]).name} ended" if ended else "SLURM is not ready"
                raise NoSlurmError(f"{what}:\n{self.told()}")
            time.sleep(0.1)

    def _stop(self):
        for daemon in reversed(self._daemons):
            daemon.terminate()
        for daemon in reversed(self._daemons):
            try:
                daemon.wait(20)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()
        shutil.rmtree(self.folder)


def _free_ports(number):
    """Return ports of the loopback address that nobody listens on."""
    sockets = [socket.socket() for _ in range(number)]
    try:
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]
    finally:
        for one in sockets:
            one.close()
