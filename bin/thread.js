// A thread of the index: src/index/threads.ts starts it.
'use strict';

require('./launch.js').runThread();
