import { spawn } from 'node:child_process';

/** The command of each system that opens an address in a browser. */
const OPENERS: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
  linux: ['xdg-open'],
};

const hasScreen = (): boolean =>
  process.platform !== 'linux' || Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);

/** Opens the page in the holder's browser. Where there is none nothing happens: the address was printed. */
export function openBrowser(url: string): void {
  const [command, ...words] = OPENERS[process.platform] ?? [];
  if (!command || !hasScreen()) return;
  const child = spawn(command, [...words, url], { stdio: 'ignore', detached: true });
  child.on('error', () => undefined);
  child.unref();
}
