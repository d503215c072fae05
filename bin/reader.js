// A thread that reads files for the index: src/index/read/threads.ts starts it.
'use strict';

require('./launch.js').readFiles();
