"""Measurements that are run by hand: accuracy, other looks, live tables, scale."""
