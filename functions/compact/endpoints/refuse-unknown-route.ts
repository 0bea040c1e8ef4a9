import { compact } from '../service.ts';

export const handler = compact.refuseUnknownRoute();
