import { sandbox } from '../service.ts';

export const handler = sandbox.refuseUnknownRoute();
