import { pki } from '../service.ts';

export const handler = pki.refuseUnknownRoute();
