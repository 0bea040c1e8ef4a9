import { vi } from 'vitest';

// The times that a test can wait for. Each is a setting.
const SHORT_TIMES = {
  Agents__PollSeconds: '2',
  Agents__BusyPollSeconds: '1',
  Agents__OnlineFor: '4',
  Sessions__PinRelayTimeout: '3',
  Signing__WorkstationReconnectGrace: '3',
  Signing__HashSignTimeout: '20',
};

export function useShortTimes(): void {
  for (const [name, value] of Object.entries(SHORT_TIMES)) vi.stubEnv(name, value);
}
