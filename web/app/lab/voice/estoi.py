"""Prints the extended short-time objective intelligibility (ESTOI) of sentences, one number a line.

    python estoi.py RATE_HZ SAMPLES < SENTENCES

Standard input has pairs of a clean and a degraded sentence, each of SAMPLES 32-bit floats.
"""

import sys

import numpy as np
from pystoi import stoi

rate_hz, samples = (int(argument) for argument in sys.argv[1:])
sentences = np.frombuffer(sys.stdin.buffer.read(), dtype=np.float32).reshape(-1, 2, samples)
for clean, degraded in sentences.astype(np.float64):
    print(stoi(clean, degraded, rate_hz, extended=True))
