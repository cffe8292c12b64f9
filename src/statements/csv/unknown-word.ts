// A word in a file that the mapping profile does not translate: the line waits for a better profile instead of being refused.

import { FieldFault } from '../field-fault.ts';

export class UnknownWord extends FieldFault {}
