import { isolationFigure } from './isolation.ts';
import { throughputFigures } from './throughput.ts';
import { startWorld } from './world.ts';

// Run by webhooks.ts in a process of its own, which is that of the functions: its clients know no other stores.

const world = await startWorld();
const figures = [...(await throughputFigures(world)), await isolationFigure(world)];
await world.stop();
process.send?.(figures, () => process.exit(0));
