import { hub } from '../service.ts';

export const handler = hub.refuseUnknownRoute();
