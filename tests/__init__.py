"""Tests; the subfolders mirror the packages."""
