import * as z from 'zod';

const INSTANCE = {
  name: 'sign.example.org',
  state: 'Live',
  version: '2.16.0+0.1.0.3f9a2b1c',
  startedAt: '2026-03-02T08:00:00.000Z',
  lastHeartbeat: '2026-03-02T12:00:00.000Z',
  folders: ['inbox', 'remessas'],
  inFlight: 3,
} as const;

export const ClusterInstance = z
  .object({
    name: z.string().describe('`Cluster:InstanceName`, or the host of its public address.'),
    state: z
      .enum(['Live', 'Stopped', 'Stale'])
      .describe(
        'Live: it sends heartbeats. Stopped: it was stopped in an orderly way. Stale: it has sent no heartbeat for `Cluster:StaleAfterSeconds`. A live instance ends the jobs that a stopped or stale one left in flight.',
      ),
    version: z.string().describe('The version of the service and its build.'),
    startedAt: z.iso.datetime(),
    lastHeartbeat: z.iso.datetime(),
    folders: z.array(z.string()).describe('The input folders that it watches.'),
    inFlight: z.int().describe('Jobs that it has in Processing or Verifying.'),
  })
  .meta({ description: 'A deployment of the functions that works on this store.', examples: [INSTANCE] });

export const Cluster = z.object({ instances: z.array(ClusterInstance) }).meta({
  description: 'The instances that share this store, by name. One that is gone is shown for a week.',
  examples: [{ instances: [INSTANCE] }],
});
