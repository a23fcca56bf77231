// As nothing.mjs, for what is required.
module.exports = {}
