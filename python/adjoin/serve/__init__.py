"""A class on the school's own network: rooms to play in and live quizzes, joined from any browser.

``adjoin serve`` starts it; everything stays in memory on this machine.
Needs ``pip install adjoin[serve]``.
"""

from typing import TYPE_CHECKING

from adjoin.serve.hall import Hall
from adjoin.serve.live_quiz import LiveQuiz
from adjoin.serve.live_settings import LiveSettings
from adjoin.serve.rooms import Room, RoomError, Settings
from adjoin.support.lazy import lazy

__all__ = ["Hall", "LiveQuiz", "LiveSettings", "Room", "RoomError", "Server", "Settings"]

if TYPE_CHECKING:
    from adjoin.serve.server import Server
else:
    __getattr__, __dir__ = lazy(__name__, {"adjoin.serve.server": ("Server",)})
