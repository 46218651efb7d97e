// Whether something is shown in a dialog. A form there has its buttons in the order of dialogs.
import { createContext } from 'react';

export const InDialog = createContext(false);
