"""The page: one self-contained file that shows a run, replays it and lets a reader check it.

`bmn.report.run` reads the results of a run, `bmn.report.law` fits the tail of the lengths,
`bmn.report.pictures` draws, and `bmn.report.page` puts all of it into one HTML file. What the
page itself computes is JavaScript, in ``web/``.
"""
