"""The walls of a tier, in the form that the sandbox takes: a command in, the launcher in front of it out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from autograder import sandbox, tiers

MOST_TASKS = 256  # threads and processes of one child


@dataclass(frozen=True)
class TierWalls:
    """The walls of one tier; they can be sent to a worker process."""

    tier: tiers.Tier

    @property
    def name(self) -> str:
        """The tier, as reports tell it."""
        return self.tier.name

    @contextmanager
    def around(
        self, argv: Sequence[str], limits: sandbox.Limits, box: sandbox.Box, status: int
    ) -> Iterator[sandbox.Walled]:
        """The command behind the walls, while the context lasts."""
        request = tiers.Request(
            argv=tuple(argv),
            readable=tuple(map(str, box.readable)),
            writable=tuple(map(str, box.writable)),
            devices=tuple(map(str, box.devices)),
            folder=str(box.folder),
            environment=tuple(box.environment.items()),
            cpu_s=limits.total_cpu_s,
            memory_bytes=limits.data_bytes,
            file_bytes=limits.file_bytes,
            processes=min(limits.processes, MOST_TASKS),
            may_start_processes=bool(box.compiler),
            status=status,
        )
        with tiers.confined(self.tier, request) as command:
            group = command.memory_group
            yield sandbox.Walled(
                command.argv,
                command.environment,
                group.out_of_memory if group else lambda: False,
                relays_signals=self.tier.means == "namespaces",
                reached=_bubblewrap_reached if self.tier.means == "namespaces" else lambda status: True,
            )


def _bubblewrap_reached(status: str) -> bool:
    """Bubblewrap tells the exit code of a command only if it came so far as to start it."""
    return '"exit-code"' in status


def of(tier: tiers.Tier) -> sandbox.Walls:
    """The walls of a tier; those of tier none are the sandbox's own."""
    return sandbox.NO_WALLS if tier.means == "none" else TierWalls(tier)
