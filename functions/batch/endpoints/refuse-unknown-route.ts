import { batch } from '../service.ts';

export const handler = batch.refuseUnknownRoute();
