"""Tumble's engine. (`import engine as mujoco` runs scripts written for the `mujoco` package.)"""
