import { startWorld } from '../webhooks/world.ts';
import { deliveryFigures } from './deliveries.ts';

// Run by credentials.ts in a process of its own, which is that of the functions: its clients know no other stores.

const world = await startWorld();
const figures = await deliveryFigures(world);
await world.stop();
process.send?.(figures, () => process.exit(0));
