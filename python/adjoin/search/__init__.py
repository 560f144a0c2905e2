"""Tree search on all lanes of a batch, for a network of the caller's: in numpy, JAX or PyTorch."""

from adjoin.search.tree_search import Evaluate, Leaves, SearchResult, TreeSearch, evaluators

__all__ = ["Evaluate", "Leaves", "SearchResult", "TreeSearch", "evaluators"]
