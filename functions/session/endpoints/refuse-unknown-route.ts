import { session } from '../service.ts';

export const handler = session.refuseUnknownRoute();
