// Preloaded into every process of a case: it ends when the process that started it is gone.
process.on('disconnect', () => process.exit());
// The listener alone must not keep a process alive that is done.
process.channel?.unref();
