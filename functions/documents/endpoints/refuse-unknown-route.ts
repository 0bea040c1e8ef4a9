import { documents } from '../service.ts';

export const handler = documents.refuseUnknownRoute();
