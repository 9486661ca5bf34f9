"""A model to a compiled program to outputs: Parameter, Const, Convert, Add and Result, exactly."""
