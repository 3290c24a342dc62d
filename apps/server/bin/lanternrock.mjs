#!/usr/bin/env node
import '../dist/lanternrock.js';
