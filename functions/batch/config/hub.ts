import { cloudOf } from '../../../shared/hub/cloud.ts';
import { settings } from '../settings.ts';

/** Cloud certificates of approvers and of profiles. */
export const cloud = cloudOf('batch', settings);
