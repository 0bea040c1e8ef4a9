import type { Functions } from './framework.ts';

/** The local engine has schedules and WebSockets itself, by AWS's rules; serverless-offline would have them twice. */
export function leaveToTheEngine(functions: Functions): void {
  for (const fn of Object.values(functions))
    fn.events = fn.events.filter((event) => !event.schedule && !event.websocket);
}
