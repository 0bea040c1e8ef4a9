/** Serves on a port, and says in one line where that cannot be done. */
export function listen(server, port, host, onListening) {
  server.once('error', ({ code, message }) => {
    console.error(
      code === 'EADDRINUSE'
        ? `Port ${port} is taken by another program. Stop it, or choose another port: PORT=${Number(port) + 1}`
        : `Port ${port} cannot be used: ${message}`,
    );
    process.exitCode = 1;
  });
  server.listen(Number(port), host, onListening);
}
