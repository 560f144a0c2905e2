"""The drawing kit of pages, charts and paper. Games are drawn in Rust.

- ``colours`` and ``lettering``: what all pictures share, in any unit
- ``svg``: elements of pictures in pixels
- ``sheet``: drawings in millimetres, which ``svg`` and ``pdf`` make files of
- ``maps``: where the places of an atlas are on a drawing, and how they are marked
- ``png``: pictures as pixels
"""
