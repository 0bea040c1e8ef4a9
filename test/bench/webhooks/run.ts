import { isolationFigure } from './isolation.ts';
import { throughputFigures } from './throughput.ts';
import { startWorld } from './world.ts';

// Run by webhooks.ts in a process of its own, which is that of the functions: its clients know no other stores.

const world = await startWorld();
process.send?.([...(await throughputFigures(world)), await isolationFigure(world)], () => {
  world.stop();
  process.exit(0);
});
