import { startWorld } from '../webhooks/world.ts';
import { deliveryFigures } from './deliveries.ts';

// Run by credentials.ts in a process of its own, which is that of the functions: its clients know no other stores.

const world = await startWorld();
process.send?.(await deliveryFigures(world), () => {
  world.stop();
  process.exit(0);
});
