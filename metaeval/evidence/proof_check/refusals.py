"""What is said of a proof that does not hold."""

from __future__ import annotations

from metaeval.verification.certificate_check import Refused


class RefusedProof(Refused):
    """A proof that does not hold, and why."""
