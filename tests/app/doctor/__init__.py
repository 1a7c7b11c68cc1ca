"""The doctor: signs of trouble, causes in models broken on purpose, remedies that were tried."""
