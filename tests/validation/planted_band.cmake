# A figure outside its band: `validate` names item, figure and band, and exits with 1. So it does for a band of a figure
# that no item has.
set(figure "rs/rf 0.5, R 3 cells: acceleration off [%]")

function(expect_missed band complaint)
  execute_process(COMMAND ${VALIDATE} released-sphere --quick --out ${WORK} --band ${band}
    RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE errors)
  string(FIND "${errors}" "${complaint}" place)
  if(NOT code EQUAL 1 OR place EQUAL -1)
    message(FATAL_ERROR "exit code ${code}, expected 1 and '${complaint}':\n${output}\n${errors}")
  endif()
endfunction()

expect_missed("${figure}=1:2" "validate: released-sphere: ${figure}: -6.")
expect_missed("${figure}=1:2" "must be 1 to 2 (the command line asks for it)")
expect_missed("no such figure=1:2" "validate: no item judged 'no such figure'")
