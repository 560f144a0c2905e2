"""The drawing kit of pages, charts and paper. Games are drawn in Rust.

- ``colours`` and ``lettering``: what all pictures share, in any unit
- ``svg``: elements of pictures in pixels
- ``sheet``: drawings in millimetres, which ``svg`` and ``pdf`` make files of
- ``maps`` and ``map_words``: the map of an atlas on a drawing with marks, and words on it
- ``picture`` and ``atlas_picture``: a drawing that shows itself, and one of an atlas
- ``png``: pictures as pixels
"""
