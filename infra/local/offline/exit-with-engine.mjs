// Loaded before anything else in the functions' process. However the engine ends, kill -9 included,
// the channel to it closes, and nobody is left holding its port.
process.on('disconnect', () => process.exit(0));
