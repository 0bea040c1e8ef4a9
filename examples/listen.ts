import type { Server } from 'node:http';

type ListenOptions = {
  /** This machine alone, where it is left out. */
  readonly host?: string;
  /** Printed when it serves. */
  readonly message?: string;
};

/** Serves on a port until a signal ends it, and says in one line where that cannot be done. */
export function listen(
  server: Server,
  port: string,
  { host = '127.0.0.1', message: text = `Open http://localhost:${port}` }: ListenOptions = {},
): void {
  server.once('error', ({ code, message }: NodeJS.ErrnoException) => {
    console.error(
      code === 'EADDRINUSE'
        ? `Port ${port} is taken by another program. Stop it, or choose another port: PORT=${Number(port) + 1}`
        : `Port ${port} cannot be used: ${message}`,
    );
    process.exitCode = 1;
  });
  server.listen(Number(port), host, () => console.log(text));
  process.once('SIGTERM', () => server.close()).once('SIGINT', () => server.close());
}
