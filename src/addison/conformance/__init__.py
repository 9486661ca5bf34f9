"""The referee: what the right answers are, as files; and where somebody else's answers part from them.

``classes`` and ``cases`` choose the questions, ``vectors`` answers them out of ``addison.spec`` and writes them,
``verify`` puts them to anything with ``add``'s signature, ``verdict`` says how two tensors differ.
"""
