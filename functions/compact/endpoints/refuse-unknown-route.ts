import { unknownRoutePage } from '../../../shared/ui/unknown-route-page.ts';
import { compact } from '../service.ts';

export const handler = compact.refuseUnknownRoute(unknownRoutePage());
