// Loaded before anything else in the functions' process. However the engine ends, kill -9 included, the channel to it
// closes, and this process releases its port.
process.on('disconnect', () => process.exit(0));
