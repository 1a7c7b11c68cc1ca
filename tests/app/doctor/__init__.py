"""The doctor: signs of trouble, causes of broken models of our making, remedies that were tried."""
