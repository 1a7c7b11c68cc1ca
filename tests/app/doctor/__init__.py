"""The doctor: signs of instability, causes in models that were broken on purpose, and remedies that were tried."""
