import { unknownRoutePage } from '../../../shared/ui/unknown-route-page.ts';
import { sandbox } from '../service.ts';

export const handler = sandbox.refuseUnknownRoute(unknownRoutePage('/'));
