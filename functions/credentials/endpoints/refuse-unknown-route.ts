import { credentials } from '../service.ts';

export const handler = credentials.refuseUnknownRoute();
