// Loaded first, so that what loading as such takes is not put down to a library.
export {}
