// A process of the engine: the one of the routes, or one of queues and schedules. The functions run in it.
import { runStopWork } from '../../../shared/async/on-stop.ts';
import { reasonOf } from '../../../shared/command-line/reason.ts';
import { shareMetrics } from '../../../shared/metrics/processes.ts';
import { keepEnvironment } from '../../runtime/environment.ts';
import { gatherOutput } from '../../runtime/gather-output.ts';
import { useStores } from '../stores/endpoints.ts';

/** What every process is told when its work begins. */
export type MemberOrder = {
  readonly root: string;
  readonly buildDir: string;
  /** Where its stores are. */
  readonly env: Record<string, string>;
};

/** What a process answers: its work has begun, or has not and why. */
export type FromMember = { readonly ready: true } | { readonly failed: string };

/**
 * Begins the work of this process at its order, and finishes it when the engine stops.
 * @example joinEngine(async (order: RoutesOrder) => { const server = await serve(order); return server.drain; });
 */
export function joinEngine<Order extends MemberOrder>(
  begin: (order: Order) => Promise<() => Promise<void>>,
): void {
  keepEnvironment();
  gatherOutput(process.stdout);
  const tell = (message: FromMember) => process.send?.(message);
  // However the engine ends, kill -9 included, the channel to it closes.
  process.on('disconnect', () => process.exit(0));
  // Ctrl-C reaches every process. The engine says when the work in progress has had its time.
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);
  process.once('message', async (order: Order) => {
    try {
      useStores(order.env);
      shareMetrics();
      const finish = await begin(order);
      process.once('message', async () => {
        await finish();
        await runStopWork();
        process.exit(0);
      });
      tell({ ready: true });
    } catch (error) {
      tell({ failed: reasonOf(error) });
    }
  });
}
