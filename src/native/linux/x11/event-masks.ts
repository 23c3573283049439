import x11 from 'x11';

/** Names of the X protocol for what a connection asks events of. */
export const {
  PropertyChange: PROPERTY_CHANGE,
  StructureNotify: STRUCTURE_NOTIFY,
  SubstructureNotify: SUBSTRUCTURE_NOTIFY,
  SubstructureRedirect: SUBSTRUCTURE_REDIRECT,
} = x11.eventMask;
